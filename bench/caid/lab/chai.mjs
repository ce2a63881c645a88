// The assertions of chai that a library's tests use, by Node's own.
import nodeAssert from 'node:assert';

const { ok, strictEqual, notStrictEqual, doesNotThrow, fail } = nodeAssert;

const plain = (value) => (Buffer.isBuffer(value) ? new Uint8Array(value) : value);

export const assert = {
  ok,
  strictEqual,
  notStrictEqual,
  doesNotThrow,
  fail,
  equal: nodeAssert.equal,
  // For chai a Buffer equals an array of the same bytes.
  deepEqual: (actual, expected, message) => nodeAssert.deepStrictEqual(plain(actual), plain(expected), message),
  deepStrictEqual: (actual, expected, message) => nodeAssert.deepStrictEqual(plain(actual), plain(expected), message),
  notDeepEqual: nodeAssert.notDeepStrictEqual,
  instanceOf: (value, type) => ok(value instanceof type),
  isNumber: (value) => strictEqual(typeof value, 'number'),
  isObject: (value) => strictEqual(Object.prototype.toString.call(value), '[object Object]'),
  isTrue: (value) => strictEqual(value, true),
  isUndefined: (value) => strictEqual(value, undefined),
  property: (value, name) => ok(name in value),
  typeOf: (value, name) => strictEqual(Object.prototype.toString.call(value).slice(8, -1).toLowerCase(), name.toLowerCase()),
  // A string is a part of the message.
  throws(work, expected, part) {
    let thrown;
    try {
      work();
    } catch (error) {
      thrown = { error };
    }
    ok(thrown !== undefined, 'expected a failure');
    const { message } = thrown.error;
    for (const one of [expected, part]) {
      if (one instanceof RegExp) ok(one.test(message), `${message} does not fit ${one}`);
      else if (typeof one === 'string') ok(message.includes(one), `${message} does not have ${one}`);
      else if (typeof one === 'function') ok(thrown.error instanceof one, `${message} is of another type`);
    }
  },
};
