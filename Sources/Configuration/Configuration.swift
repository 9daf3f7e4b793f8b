// The Configuration target.
