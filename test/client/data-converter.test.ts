import type { Connection } from '@temporalio/client';
import { clientOver } from '../../client/connect';
import { outcomeOfResult } from '../../client/outcome';
import { jsonText, parseJson } from '../../plan/text/json-text';

const { payloadConverter } = clientOver({} as Connection, { address: '127.0.0.1:1', namespace: 'default' }).temporal.options
  .loadedDataConverter;
const sent = (value: unknown): string => Buffer.from(payloadConverter.toPayload(value).data ?? []).toString();

test('what is sent keeps numbers as they are written; one that no double holds goes as text', () => {
  const response = parseJson('{"price":1.10,"n":1e3,"id":1234567890123456789}');
  expect(sent({ by: 'cfo', response })).toBe('{"by":"cfo","response":{"price":1.10,"n":1e3,"id":"1234567890123456789"}}');
  expect(sent({ a: 1 })).toBe('{"a":1}');
});

test('what comes back keeps them as well, in a run’s output and its args', () => {
  const payload = { ...payloadConverter.toPayload({}), data: Buffer.from('{"status":"completed","output":1.10,"args":{"price":2.50}}') };
  const result = payloadConverter.fromPayload<{ args: object }>(payload);
  expect(jsonText(outcomeOfResult(result))).toBe('{"state":"completed","output":1.10}');
  expect(jsonText(result.args)).toBe('{"price":2.50}');
});

test('what is not JSON passes as it is', () => {
  const bytes = new Uint8Array([1, 2]);
  expect(payloadConverter.fromPayload(payloadConverter.toPayload(bytes))).toEqual(bytes);
});
