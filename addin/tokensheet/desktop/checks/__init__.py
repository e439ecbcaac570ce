"""The checks of `tokensheet doctor`, by what they look at. Each yields findings and changes nothing."""
