"""Contrast, lightness and colour-blind distance of sRGB colours, without Qt and without numpy.

What the palette tests lean on: WCAG 2.2 contrast, CIE L*a*b* (D65), CIEDE2000, and the three
dichromacies by the matrices of Machado, Oliveira and Fernandes (2009, severity 1.0, linear RGB).
Colours are six hex digits with or without "#".
"""

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

CVD = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}

Linear = tuple[float, float, float]


def linear(colour: str) -> Linear:
    """Linear-light red, green, blue, 0..1."""
    digits = colour.lstrip("#")
    channels = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return r, g, b


def contrast(a: str, b: str) -> float:
    """WCAG contrast ratio, 1..21, the same both ways."""
    lights = sorted(sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(x), strict=True)) for x in (a, b))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def simulate(rgb: Linear, kind: str) -> Linear:
    """The linear colour as a dichromat sees it, clipped to the gamut."""
    r, g, b = (min(1.0, max(0.0, sum(m * c for m, c in zip(row, rgb, strict=True)))) for row in CVD[kind])
    return r, g, b


def lab(rgb: Linear) -> tuple[float, float, float]:
    """CIE L*a*b* of a linear colour, D65."""
    rows = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
    white = (0.95047, 1.0, 1.08883)
    xyz = (sum(m * c for m, c in zip(row, rgb, strict=True)) / w for row, w in zip(rows, white, strict=True))
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(a: str, b: str) -> float:
    """The least CIEDE2000 between two colours over normal sight and the three dichromacies."""
    views = [(linear(a), linear(b))]
    views += [(simulate(linear(a), kind), simulate(linear(b), kind)) for kind in CVD]
    return min(ciede2000(lab(x), lab(y)) for x, y in views)


def ciede2000(one: tuple[float, float, float], two: tuple[float, float, float]) -> float:
    """Sharma, Wu and Dalal (2005), k_L = k_C = k_H = 1."""
    (l1, a1, b1), (l2, a2, b2) = one, two
    mean_c7 = ((hypot(a1, b1) + hypot(a2, b2)) / 2) ** 7
    g = 0.5 * (1 - sqrt(mean_c7 / (mean_c7 + 25**7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    dh = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    big_h = 2 * sqrt(c1 * c2) * sin(radians(dh / 2))
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    mean_h = h1 + h2 if c1 * c2 == 0 else (h1 + dh / 2) % 360
    t = (
        1
        - 0.17 * cos(radians(mean_h - 30))
        + 0.24 * cos(radians(2 * mean_h))
        + 0.32 * cos(radians(3 * mean_h + 6))
        - 0.20 * cos(radians(4 * mean_h - 63))
    )
    s_l = 1 + 0.015 * (mean_l - 50) ** 2 / sqrt(20 + (mean_l - 50) ** 2)
    s_c, s_h = 1 + 0.045 * mean_c, 1 + 0.015 * mean_c * t
    turn = -sin(radians(60 * exp(-(((mean_h - 275) / 25) ** 2)))) * 2 * sqrt(mean_c**7 / (mean_c**7 + 25**7))
    dl, dc, dh = (l2 - l1) / s_l, (c2 - c1) / s_c, big_h / s_h
    return sqrt(dl * dl + dc * dc + dh * dh + turn * dc * dh)
