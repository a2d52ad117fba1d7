// Package outside tests that another module can use what this one exports.
package outside
