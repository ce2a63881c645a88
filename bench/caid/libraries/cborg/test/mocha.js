// Not of the library: its tests find mocha's words in Node's own runner.
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'

Object.assign(globalThis, { after, afterEach, before, beforeEach, describe, it })
