// The Service target.
