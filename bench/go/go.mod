module ordering-harness/bench

go 1.24
