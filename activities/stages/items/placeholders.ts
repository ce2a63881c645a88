/**
 * Replaces each `{{expression}}` of a text. An expression is not empty and contains no `}`; anything else in braces is text. Scans once,
 * without a regular expression, whose time on unclosed braces would be quadratic.
 */
export function replacePlaceholders(text: string, value: (expression: string) => string): string {
  let out = '';
  let done = 0;
  let close = -1;
  for (let open = text.indexOf('{{'); open !== -1; ) {
    if (close < open + 2) close = text.indexOf('}', open + 2);
    if (close === -1) break;
    if (close > open + 2 && text[close + 1] === '}') {
      out += text.slice(done, open) + value(text.slice(open + 2, close).trim());
      done = close + 2;
      open = text.indexOf('{{', done);
    } else {
      open = text.indexOf('{{', open + 1);
    }
  }
  return out + text.slice(done);
}
