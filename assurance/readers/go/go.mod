module readers

go 1.24.1

require (
	github.com/nlpodyssey/safetensors v0.0.0-20250209183917-bfb01cc25f7c
	github.com/ollama/ollama v0.17.4
)
