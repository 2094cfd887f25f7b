import { expect } from 'vitest';
import { it } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

const longLine = `# ${'x'.repeat(200)}`;

it('shows what a failed script step ran: in check, view, JUnit, journal and results', async ({
  makeSuite,
}) => {
  const suite = await makeSuite({
    tasks: {
      look: {
        spec: {
          setup: [script('echo prepared')],
          verify: [
            script('echo looking\ngrep -x kettle /dev/null\nexit 3'),
            { script: { file: 'look.sh' } },
          ],
        },
      },
    },
    files: {
      'tasks/look.sh': `#!/bin/sh\n# asks the stock\nexit 4\n${`${longLine}\n`.repeat(100)}`,
    },
  });
  const { stdout, taskRuns, events } = await suite.check();
  const shown = [
    'script:',
    '| echo looking',
    '| grep -x kettle /dev/null',
    'script look.sh:',
    '| # asks the stock',
  ];
  for (const text of shown) expect(stdout).toContain(text);

  const steps = taskRuns[0]?.phases.verify?.steps ?? [];
  expect(steps[0]?.script).toEqual({ text: 'echo looking\ngrep -x kettle /dev/null\nexit 3' });
  expect(steps[1]?.script?.file).toBe('look.sh');
  expect(steps[1]?.script?.text).toMatch(/^#!\/bin\/sh\n# asks the stock\nexit 4\n/);
  // Of a long file the beginning, in whole lines.
  expect(steps[1]?.script?.text.length).toBeLessThan(5000);
  expect(steps[1]?.script?.text).toMatch(/x\n…$/);
  expect(taskRuns[0]?.phases.setup?.steps[0]?.script).toEqual({ text: 'echo prepared' });
  const ended = events.flatMap((event) =>
    event.type === 'step-ended' ? [event.script?.text] : [],
  );
  expect(ended[0]).toBe('echo prepared');

  const view = (await suite.proctor(['view', 'out.json'])).stdout;
  expect(view).toContain('$ echo prepared');
  expect(view).toContain('$ grep -x kettle /dev/null');
  expect(view).toContain('look.sh:');
  const junit = (await suite.proctor(['result', 'convert', 'junit', 'out.json'])).stdout;
  expect(junit).toContain('grep -x kettle /dev/null');
  expect(junit).toContain('looking');
  expect(junit).toContain('script look.sh:');
});

it('leaves secrets out of what it shows of a script', async ({ makeSuite }) => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const suite = await makeSuite({
    tasks: {
      look: { spec: { verify: [script(`: curl -H 'Authorization: Bearer ${secret}'; exit 1`)] } },
    },
  });
  const { stdout, taskRuns } = await suite.check();
  expect(stdout).toContain('| : curl');
  expect(taskRuns[0]?.phases.verify?.steps[0]?.script?.text).toContain(': curl');
  for (const file of ['out.json', 'out.jsonl'])
    expect(await suite.read(file)).not.toContain(secret);
  expect(stdout).not.toContain(secret);
});
