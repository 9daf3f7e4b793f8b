// The BlockDiff target.
