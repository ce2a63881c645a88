import { htmlText } from '../../activities/tools/web/html-text';
import { sweep } from '../support/sweep';

test.each<[string, string, string]>([
  ['headings and paragraphs', '<h2>A  b</h2><p>c\n d</p><p>e</p>', '## A b\n\nc d\n\ne'],
  ['items', '<ul><li>a</li><li>b <b>c</b></li></ul>', '- a\n\n- b c'],
  ['links', '<a href="https://x.org/?a=1&amp;b">x</a> <a href="#top">y</a> <a href="javascript:z">z</a>', 'x (https://x.org/?a=1&b) y z'],
  ['what nobody sees', 'a<script>if (1 < 2) "</p>"</script><style>b</style><!-- <p>c</p> -->d', 'ad'],
  ['rows', '<table><tr><td>a</td><td>b</td></tr></table>', '| a | b'],
  ['preformatted text', '<pre>a\n  b</pre>', 'a\n  b'],
  ['entities', '&lt;p&gt; &#233;&#xE9; &nbsp;&bogus; &amp;lt; &#0; a&b', '<p> éé &bogus; &lt; � a&b'],
  ['entities of HTML that few use, and none that say where a word may be divided', '&alpha;&copy;&NotEqualTilde; so&shy;ft', 'α©≂̸ soft'],
  ['pictures', '<img src=x alt="a > b">c', 'a > bc'],
  ['no page at all', '1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['one that breaks off', '<p>a<b', 'a'],
  ['one that breaks off in a script', 'a<script>b', 'a'],
  ['one that breaks off in a comment', 'a<!-- b', 'a'],
])('%s', (_, html, text) => {
  expect(htmlText(html)).toEqual({ text, isWhole: true });
});

test.each(sweep(['<a href=x>', '<a ', '<', '<!--', '<script>', '&', '<p "', '<li>', '</a>', '<pre>'], 4))(
  'many of %s are read as fast as anything',
  (piece) => {
    expect(htmlText(piece.repeat(2_000_000 / piece.length)).text.length).toBeLessThanOrEqual(4_000_000);
  },
);

test('no more than is wanted is read', () => {
  const { text, isWhole } = htmlText('<p>word</p>'.repeat(10_000), 1000);
  expect(isWhole).toBe(false);
  expect(text.length).toBeLessThan(2000);
});
