import { readTraceparent } from '../../plan/run/traceparent';

const [TRACE, SPAN] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

test.each([`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`, `cc-${TRACE}-${SPAN}-01-what-the.future=brings`])('%s is read', (text) => {
  expect(readTraceparent(text)).toEqual({ traceId: TRACE, spanId: SPAN });
});

test.each([
  '',
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01\n`,
  `cc-${TRACE}-${SPAN}-01-${'x'.repeat(1000)}`,
])('%j is none', (text) => {
  expect(readTraceparent(text)).toBeUndefined();
});
