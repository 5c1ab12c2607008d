package main

import (
	"cmp"
	"net"
	"syscall"
	"time"
	"unsafe"
)

// stamped returns a function that reads what has arrived, and when the kernel had the last of it (zero where it does not say so, as
// of what came before it was asked). A recorder that had to wait for a processor itself would find everything there at once.
func stamped(connection *net.TCPConn) (func([]byte) (int, time.Time, error), error) {
	raw, err := connection.SyscallConn()
	if err != nil {
		return nil, err
	}
	var failed error
	err = raw.Control(func(descriptor uintptr) {
		failed = syscall.SetsockoptInt(int(descriptor), syscall.SOL_SOCKET, syscall.SO_TIMESTAMPNS, 1)
	})
	if err = cmp.Or(err, failed); err != nil {
		return nil, err
	}
	control := make([]byte, 128)
	return func(buffer []byte) (count int, at time.Time, err error) {
		var size int
		err = raw.Read(func(descriptor uintptr) bool {
			count, size, _, _, failed = syscall.Recvmsg(int(descriptor), buffer, control, 0)
			return failed != syscall.EAGAIN
		})
		if err = cmp.Or(err, failed); err != nil {
			return 0, at, err
		}
		at, err = stampIn(control[:size])
		return count, at, err
	}, nil
}

func stampIn(control []byte) (time.Time, error) {
	messages, err := syscall.ParseSocketControlMessage(control)
	for _, each := range messages {
		if each.Header.Level == syscall.SOL_SOCKET && each.Header.Type == syscall.SCM_TIMESTAMPNS {
			return time.Unix((*syscall.Timespec)(unsafe.Pointer(&each.Data[0])).Unix()), nil
		}
	}
	return time.Time{}, err
}
