/**
 * How much of what is deep and slow the tests do, as a share: a tenth in `npm test`, all of it in
 * `npm run test:full`, which CI runs, and more before a release.
 */
export const testDepth = Number(process.env.PROCTOR_TEST_FULL ?? 0.1);
