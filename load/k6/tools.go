//go:build tools

// Package k6 pins the k6 that the harness builds when no other one is found.
package k6

import _ "go.k6.io/k6/v2"
