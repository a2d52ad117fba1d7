package workspace

// shell returns how to run a command line.
func shell(command string) []string { return []string{"cmd", "/C", command} }
