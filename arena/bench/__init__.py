"""How fast this arena is on this machine: ratios within one run, medians of several."""
