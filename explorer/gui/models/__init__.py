"""What stands between the core's values and Qt's views: table models over tuples, and words about trainings."""
