import { matrixTests } from '../support/matrix-tests.ts'

matrixTests(1, 2)
