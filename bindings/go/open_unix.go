//go:build unix

package assay

import (
	"errors"
	"syscall"
)

// nonBlocking keeps the opening of a pipe from waiting for a writer.
const nonBlocking = syscall.O_NONBLOCK

// isLeased returns whether a program that holds a lease on the file was asked to give it back.
func isLeased(err error) bool { return errors.Is(err, syscall.EAGAIN) }
