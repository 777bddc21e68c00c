package assay

import (
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestLease checks that a program that holds a lease on a file has a moment to give it back.
func TestLease(t *testing.T) {
	const setLease, writeLease = 1024, 1 // F_SETLEASE, F_WRLCK
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, two, 0o600); err != nil {
		t.Fatal(err)
	}
	held, err := syscall.Open(path, syscall.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGIO)
	defer signal.Stop(signals)
	if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(held), setLease, writeLease); errno != 0 {
		t.Logf("this file system has no leases: %v", errno)
		syscall.Close(held)
		return
	}
	go func() {
		<-signals
		time.Sleep(100 * time.Millisecond)
		syscall.Close(held)
	}()
	if _, err := CheckFile(path, nil); err != nil {
		t.Error(err)
	}
}
