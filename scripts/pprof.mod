// What scripts/fetch_export_readers.sh builds: pprof, which reads exports in tests. Hashes: pprof.sum.
module ridge/readers

go 1.25.0

require github.com/google/pprof v0.0.0-20260906184651-6331bc6350fe

require (
	github.com/chzyer/readline v1.5.1 // indirect
	github.com/ianlancetaylor/demangle v0.0.0-20250417193237-f615e6bd150b // indirect
	golang.org/x/sys v0.32.0 // indirect
)
