import { compileLobsterProgram } from '../../../compiler';

describe('the program of `lobster run`', () => {
  it('is a plan of one pipe, its words taken as they are', () => {
    const made = compileLobsterProgram(`exec echo '\${x} $a.json' | json`);
    expect(made.plan).toEqual({
      irVersion: 2,
      name: 'lobster-pipeline',
      dialect: 'lobster',
      source: expect.any(String),
      trigger: { kind: 'manual' },
      block: {
        order: 'sequence',
        steps: [
          {
            id: 'pipeline',
            kind: 'stages',
            stages: [
              { name: 'exec', words: [['echo'], [`\${x} $a.json`]], flags: {} },
              { name: 'json', words: [], flags: {} },
            ],
          },
        ],
      },
    });
  });

  it.each([
    ['', 'lobster.pipe-syntax', 'Empty pipeline'],
    ['exec "a', 'lobster.pipe-syntax', 'Unclosed quote'],
    ['nonsense', 'lobster.unknown-stage', 'Unknown command: nonsense'],
    ['head --n x', 'lobster.bad-stage', 'head --n must be a non-negative number'],
  ])('%s is refused', (text, code, message) => {
    expect(compileLobsterProgram(text)).toMatchObject({ diagnostics: [{ code, message, line: 1 }] });
  });

  it('is only warned of flags that a stage does not have', () => {
    const made = compileLobsterProgram('json --pretty');
    expect(made.plan).toBeDefined();
    expect(made.diagnostics).toMatchObject([{ code: 'lobster.unknown-flag', severity: 'warning' }]);
  });
});
