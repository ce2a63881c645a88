import { compilePipeline } from '../../compiler';
import { DRAFT, FILE, SOURCES } from './world';

/** The message of a step after `draft`, from the plan. */
function messageOf(text: string): unknown {
  const file = { ...FILE, steps: [DRAFT, { id: 'tell', notify: { channel: '#desk', message: text } }] };
  const { plan, diagnostics } = compilePipeline('p.json', JSON.stringify(file), SOURCES);
  expect(diagnostics).toEqual([]);
  const tell = plan?.block.steps[1];
  return tell?.kind === 'notify' ? { message: tell.message, records: tell.records } : undefined;
}
const record = (field: string) => ({ kind: 'record', step: 'draft', field, path: [] });

describe('states of steps within a text', () => {
  it.each([
    ['skipped', 'skipped'],
    ['failed', 'error'],
  ])('%s(step) is read from the step’s record', (asked, field) => {
    expect(messageOf(`it is \${${asked}(draft)}`)).toEqual({ message: ['it is ', record(field)], records: [{ step: 'draft', field }] });
  });

  it('are read within other expressions as well', () => {
    expect(messageOf(`\${!failed(draft) && [skipped(draft), always()]}`)).toEqual({
      message: [
        {
          kind: 'binary',
          operator: '&&',
          left: { kind: 'not', operand: record('error') },
          right: { kind: 'array', items: [record('skipped'), { kind: 'literal', value: true }] },
        },
      ],
      records: [
        { step: 'draft', field: 'error' },
        { step: 'draft', field: 'skipped' },
      ],
    });
  });
});
