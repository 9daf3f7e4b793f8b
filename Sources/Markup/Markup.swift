// The Markup target.
