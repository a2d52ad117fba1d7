package tools

// shell returns the arguments to run a command line.
func shell(command string) []string { return []string{"cmd", "/C", command} }
