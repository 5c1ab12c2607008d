import { matrixTests } from '../support/matrix-tests.ts'

matrixTests(0, 2)
