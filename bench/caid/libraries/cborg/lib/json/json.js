import { encode } from './encode.js'
import { decode, decodeFirst, Tokenizer } from './decode.js'

export { encode, decode, decodeFirst, Tokenizer }
