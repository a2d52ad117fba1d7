// Package push sends notifications to browsers through their push services (Web Push:
// RFC 8030, 8291 and 8292), so that a page is notified while it is closed.
//
// Contract:
//
//   - A subscription belongs to the token of the page that subscribed. It is void once the
//     token is revoked or expired, even if another token has the same name.
//   - A push service sees the server's public key and the sizes and times of messages. It
//     can't read them: they are encrypted for one browser.
//   - Endpoints come from clients, so nothing is sent to one that isn't on the internet, or
//     without TLS. Redirects and proxies are not used.
//   - The key pair and the subscriptions are in one file that only its owner can read
//     (0600). Their number and sizes are bounded. Two programs never change the file at the
//     same time.
//   - Endpoints are secret, because one identifies the browser. They are
//     never logged.
package push
