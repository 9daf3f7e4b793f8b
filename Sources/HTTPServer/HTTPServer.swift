// The HTTPServer target.
