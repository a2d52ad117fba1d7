package workspace

// shell is how a command line is run.
func shell(command string) []string { return []string{"cmd", "/C", command} }
