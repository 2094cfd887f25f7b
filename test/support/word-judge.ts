/**
 * An Agent file of a judge without a model: it says what the answer asks it to say, which a good
 * judge would not. `say-pass`, `say-fail` and `say-nothing` are its words.
 */
export const wordJudge = JSON.stringify({
  kind: 'Agent',
  metadata: { name: 'word-judge' },
  scripted: [
    { when: 'say-pass', do: [submit({ passed: true, reason: 'it says pass' })] },
    {
      when: 'say-fail',
      do: [
        submit({
          passed: false,
          reason: 'it says fail',
          failureCategory: 'missing_information',
        }),
      ],
    },
    { do: [{ say: 'I would rather not.' }] },
  ],
});

function submit(args: object) {
  return { call: { server: 'judge', tool: 'submit_judgement', args } };
}
