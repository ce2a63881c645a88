import { LiveRegion } from '../../cli/rendering/live-region';
import { widthOf } from '../../cli/rendering/text/printable';

describe('a region that is drawn in place', () => {
  const recorder = (rows: number, columns = 80) => {
    const writes: string[] = [];
    return {
      writes,
      region: new LiveRegion(
        (text) => writes.push(text),
        () => rows,
        () => columns,
      ),
    };
  };

  test('writes nothing when nothing changed', () => {
    const { region, writes } = recorder(10);
    region.draw(['a', 'b']);
    region.draw(['a', 'b']);
    expect(writes).toHaveLength(1);
  });

  test('goes back over exactly as many lines as it drew', () => {
    const { region, writes } = recorder(10);
    region.draw(['a', 'b', 'c']);
    region.draw(['a', 'x']);
    expect(writes[1]!.startsWith('\u001b[3A\r')).toBe(true);
  });

  test('never draws more lines or wider ones than the screen has', () => {
    const { region, writes } = recorder(6, 20);
    region.draw(Array.from({ length: 30 }, (_, i) => `${i} ${'x'.repeat(50)}`));
    const lines = writes[0]!.split('\n').filter((line) => line.includes('\u001b[K'));
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(20);
  });

  test('begins below what was written after it was cleared', () => {
    const { region, writes } = recorder(10);
    region.draw(['a']);
    region.clear();
    region.draw(['a']);
    expect(writes[2]!.startsWith('a')).toBe(true);
  });
});
