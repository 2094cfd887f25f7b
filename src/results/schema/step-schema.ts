import * as z from 'zod/mini';
import { exampleModels } from '../../config/models.js';
import {
  addDescription,
  anything,
  count,
  optional,
  positiveCount,
  text,
  textMap,
} from '../../config/schemas/fields.js';
import { judgeModes, judgementCategories } from '../../journal/step-events.js';
import { costSourceSchema, usageSchema } from './usage-schema.js';

const headers = () =>
  addDescription(textMap(), 'Headers, without credentials.', {
    examples: [{ 'content-type': 'application/json' }],
  });

const verdict = (description: string) =>
  addDescription(z.nullable(z.boolean()), description, { examples: [true] });

const category = () => z.enum(judgementCategories);

const voteSchema = () =>
  z.object({
    passed: verdict('What it says. Null: it gave no verdict.'),
    reason: optional(text(), 'Why, in its own words.', { examples: ['It names the pod.'] }),
    failureCategory: optional(category(), 'What kind of failure it is.', { examples: ['n/a'] }),
    error: optional(text(), 'Why there is no verdict.', {
      examples: ['the judge did not call submit_judgement'],
    }),
    attempts: addDescription(positiveCount(), 'How often it had to be asked.', { examples: [1] }),
  });

const judgementSchema = () =>
  z.object({
    mode: addDescription(z.enum(judgeModes), 'How the answer was held against the reference.'),
    reference: addDescription(text(), 'What the answer was held against.', {
      examples: ['The pod web runs'],
    }),
    passed: verdict('What more than half of the votes say. Null: there is no verdict.'),
    reason: addDescription(text(), 'Why, in the words of a vote; or why there is no verdict.', {
      examples: ['The answer names the pod and says that it runs.'],
    }),
    failureCategory: addDescription(category(), 'What kind of failure it is.', {
      examples: ['n/a'],
    }),
    votes: addDescription(z.array(voteSchema()), 'What the judge said, each time it was asked.'),
    model: optional(text(), 'The model that answered.', { examples: [exampleModels.large] }),
    usage: optional(usageSchema(), 'Tokens of the model, over all votes and attempts.'),
    cost: optional(z.number(), 'In US dollars.', { examples: [0.002] }),
    costSource: costSourceSchema(),
  });

/** Details of what a step did, beyond its outputs. */
export const stepAccountShape = () => ({
  script: optional(
    z.object({
      file: optional(text(), "The file, from the task's folder.", { examples: ['verify.sh'] }),
      text: addDescription(text(), 'The beginning of the script.', {
        examples: ['kubectl get pod web | grep Running'],
      }),
    }),
    'Of `script`: what was run.',
  ),
  request: optional(
    z.object({
      method: addDescription(text(), 'HTTP method.', { examples: ['GET'] }),
      url: addDescription(text(), 'Address.', { examples: ['http://localhost:8080/health'] }),
      headers: headers(),
      body: optional(text(), 'The beginning of the body.', { examples: ['{"name":"web"}'] }),
    }),
    'Of `http`: what was asked.',
  ),
  response: optional(
    z.object({
      status: addDescription(count(), 'HTTP status.', { examples: [200] }),
      headers: headers(),
      bytes: addDescription(count(), 'Length of the body.', { examples: [512] }),
      redirects: optional(z.array(text()), 'Addresses that it was sent on to, in order.', {
        examples: [['http://localhost:8080/ready']],
      }),
    }),
    'Of `http`: what came back.',
  ),
  args: optional(anything(), 'Of `<server>.<tool>` and `<extension>.<operation>`: the arguments.', {
    examples: [{ name: 'web' }],
  }),
  log: optional(
    z.array(
      z.object({
        level: addDescription(text(), 'As the extension says.', { examples: ['info'] }),
        message: addDescription(text(), 'What it says.', { examples: ['namespace created'] }),
      }),
    ),
    'Of `<extension>.<operation>`: what the extension logged.',
  ),
  judgement: optional(judgementSchema(), 'Of `llmJudge`: what the judge said.'),
  unmet: optional(
    z.array(text()),
    'Every expectation that did not hold, with the value that was found.',
    { examples: [['status is 500, expected 200']] },
  ),
});
