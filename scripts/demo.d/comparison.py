"""Says of each figure whether it is what was worked out, and what differs when it is not."""


class Comparison:
    def __init__(self):
        self.differences = []

    @property
    def is_exact(self):
        return not self.differences

    def check(self, name, expected, found):
        if expected == found:
            print(f"  ok    {name}: {self._size(found)}")
            return
        self.differences.append(name)
        print(f"  WRONG {name}")
        if isinstance(expected, (set, dict)) and isinstance(found, (set, dict)):
            expected, found = self._items(expected), self._items(found)
            for label, items in [("missing", expected - found), ("not expected", found - expected)]:
                for item in sorted(items, key=str)[:5]:
                    print(f"        {label}: {item}")
        else:
            print(f"        expected {expected}, found {found}")

    def _size(self, value):
        return value if isinstance(value, int) else len(value)

    def _items(self, value):
        return set(value.items()) if isinstance(value, dict) else value
