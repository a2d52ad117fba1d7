// Package outside tests that another module can use the packages that this one
// exports.
package outside
