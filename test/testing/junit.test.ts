import { junitXml } from '../../cli/testing/rendering/junit';
import type { SuiteReport, TestReport } from '../../cli/testing/report';

const test_ = (over: Partial<TestReport>): TestReport => ({
  name: 't',
  line: 3,
  ok: true,
  status: 'completed',
  elapsedMs: 60_000,
  tookMs: 4,
  failing: [],
  notes: [],
  ...over,
});

const suite = (tests: TestReport[], more: Partial<SuiteReport['files'][number]> = {}): SuiteReport => ({
  ok: false,
  passed: tests.filter(({ ok }) => ok).length,
  failed: tests.filter(({ ok }) => !ok).length,
  invalid: more.valid === false ? 1 : 0,
  tookMs: 1234,
  files: [{ file: 'pipelines/p.test.yaml', pipeline: 'p', diagnostics: [], valid: true, tests, ...more }],
});

describe('JUnit XML', () => {
  it('has a suite a file and a case a test, with counts and seconds', () => {
    const failing = [{ what: 'status', expected: 'completed', got: 'failed' }];
    const xml = junitXml(suite([test_({ name: 'good' }), test_({ name: 'bad', ok: false, failing })]));
    expect(xml).toContain('<testsuites name="thermidor" tests="2" failures="1" errors="0" time="1.234">');
    expect(xml).toContain('<testcase name="good" classname="p" file="pipelines/p.test.yaml" line="3" time="0.004"/>');
    expect(xml).toMatch(/<failure type="expectation" message="status">status\n {2}expected {2}&quot;completed&quot;\n/);
    expect(tagsOf(xml)).toEqual([]);
  });

  it('holds names and values that XML cannot', () => {
    const nasty = '<a href="x">&\'</a> ]]> \u0000\u0001\ufffe\ud800 \n\t\u{1f600}';
    const failing = [{ what: nasty, expected: nasty, got: [nasty] }];
    const xml = junitXml(suite([test_({ name: nasty, ok: false, failing, notes: [nasty] })]));
    expect(xml).toContain('name="&lt;a href=&quot;x&quot;&gt;&amp;&apos;&lt;/a&gt; ]]&gt; \ufffd\ufffd\ufffd\ufffd &#10;&#9;\u{1f600}"');
    for (const character of xml) expect(isXml(character.codePointAt(0) ?? 0)).toBe(true);
    expect(tagsOf(xml)).toEqual([]);
  });

  it('says of a file with mistakes that it is an error', () => {
    const xml = junitXml(suite([], { valid: false, problem: 'there is no such file' }));
    expect(xml).toContain('tests="1" failures="0" errors="1"');
    expect(xml).toContain('<error type="invalid" message="the file is invalid">there is no such file</error>');
    expect(tagsOf(xml)).toEqual([]);
  });
});

/** Tags that are opened and not closed, or closed and not opened. A bare `<` or `&` counts as one, too. */
function tagsOf(xml: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  const rest = xml.replace(
    /<\?xml[^>]*\?>|<(\/?)([a-z]+)((?:\s+[a-z]+="[^"<]*")*)\s*(\/?)>/g,
    (_, end: string, name: string, __, self: string) => {
      if (name === undefined || self) return '';
      if (!end) open.push(name);
      else if (open.pop() !== name) wrong.push(name);
      return '';
    },
  );
  if (/[<]|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(rest)) wrong.push(rest);
  return [...open, ...wrong];
}

function isXml(code: number): boolean {
  return (
    code === 9 || code === 10 || code === 13 || (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000
  );
}
