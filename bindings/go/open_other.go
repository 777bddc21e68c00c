//go:build !unix

package assay

const nonBlocking = 0
