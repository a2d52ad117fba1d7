// Package localca is a certificate authority of this user, for servers in private
// networks.
//
// # Contract
//
// The authority's key stays in one file that only its user can read. Its certificates are
// valid only for addresses of private networks, and for names that no public authority
// certifies; see [Authority.Permits]. So somebody who steals the key can imitate this server,
// but no public site. Certificates of servers are renewed before they expire, and when the
// machine's addresses change.
package localca
