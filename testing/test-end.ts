import { onTestFinished, type TestContext, TestRunner } from 'vitest';

/**
 * For helpers of tests that run one after another. Among tests that run at once Vitest takes any of
 * them for the one that asks, so these have to give the `onTestFinished` of their own context.
 */
export const onLoneTestFinished: TestContext['onTestFinished'] = (...hook) => {
  if (TestRunner.getCurrentTest()?.concurrent) {
    throw new Error('a concurrent test has to give its own onTestFinished');
  }
  onTestFinished(...hook);
};
