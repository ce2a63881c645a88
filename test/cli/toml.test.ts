import { parseToml } from '../../cli/settings/toml';

const tables = (text: string) => {
  const read = parseToml(text);
  if ('problem' in read) throw new Error(read.problem);
  return Object.fromEntries(read.tables);
};

test('tables, comments and values on one line', () => {
  const text = `# a comment
[profile.default]   # another
address = "localhost:7233" # here
namespace = 'a "b"'
"quoted" = true
number = 12
[profile."my one".tls]
server_name = "with \\"quotes\\" and # no comment"
`;
  expect(tables(text)).toEqual({
    '': {},
    'profile.default': { address: 'localhost:7233', namespace: 'a "b"', quoted: true, number: 12 },
    'profile.my one.tls': { server_name: 'with "quotes" and # no comment' },
  });
});

test('what Thermidor reads none of is passed over, over several lines too', () => {
  const text = '[a]\nlist = [\n  "x",\n]\nlong = """\naddress = "no"\n"""\naddress = "yes"\n';
  expect(tables(text)['a']?.['address']).toBe('yes');
});

test('a line that is nothing of TOML is a problem with its number', () => {
  expect(parseToml('[a]\nthis is no toml\n')).toMatchObject({ line: 2 });
});
