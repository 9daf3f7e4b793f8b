// The StreamStore target.
