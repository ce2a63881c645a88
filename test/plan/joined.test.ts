import { joined } from '../../plan/text/joined';
import { jsonText, parseJson } from '../../plan/text/json-text';
import { spelledNumber } from '../../plan/text/spelled-json';

test('objects are joined as a spread does, with numbers as they were written and without what is undefined', () => {
  const first = parseJson<object>('{"price":1.10,"by":"ann","__proto__":3}');
  const whole = joined(first, { by: undefined, id: spelledNumber('1234567890123456789') }, { more: [1] });
  expect(jsonText(whole)).toBe('{"price":1.10,"by":"ann","__proto__":3,"id":1234567890123456789,"more":[1]}');
  expect(jsonText(joined(whole, { price: 2 }))).toContain('"price":2,');
});
