//go:build !linux

package main

import (
	"net"
	"time"
)

// stamped returns a function that reads what has arrived, and when that was seen: no other system stamps what TCP receives.
func stamped(connection *net.TCPConn) (func([]byte) (int, time.Time, error), error) {
	return func(buffer []byte) (int, time.Time, error) {
		count, err := connection.Read(buffer)
		return count, time.Now(), err
	}, nil
}
