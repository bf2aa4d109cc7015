"""The words of all prompts, written for this project, each in three paraphrases.

Fields in braces are filled in by `prompts`: a preset's points, the clue (quoted), the form
of the answer. How they are put together, and how answers are read, stands there.
"""

from __future__ import annotations

from collections.abc import Mapping

GAME = (
    "You are playing a card game of pictures and hints for four players. Each round one player is "
    "the storyteller: it secretly picks one card from its hand of {hand} and gives a clue to it. "
    "Each of the three listeners then lays the card of its own hand that the clue might also mean. "
    "The four cards are shuffled and shown, and every listener votes for the card it believes to "
    "be the storyteller's. {own} Points: if one or two listeners find the card, the storyteller "
    "and those listeners get {found} each. If all three find it, the storyteller gets 0 and each "
    "listener {all_correct}. If nobody finds it, the storyteller gets 0 and each listener "
    "{consolation}. {bonus} Try to win as many points as you can.",
    "Four players hold {hand} picture cards each. One of them, the storyteller of the round, "
    "chooses a card without showing it and says a clue. The other three are listeners; each adds "
    "a card from its own hand that could pass for the one the clue is about. All four cards are "
    "mixed and turned up, and the listeners vote on which is the storyteller's. {own} When some "
    "but not all listeners are right, the storyteller and each listener who is right score "
    "{found}. When all are right, the listeners score {all_correct} each and the storyteller "
    "nothing. When none is right, the listeners score {consolation} each and the storyteller "
    "nothing. {bonus} Your aim is a high score.",
    "This is a game about clues that are neither too plain nor too dark. There are four players, "
    "with {hand} pictures in each hand. The storyteller picks one of its pictures and hints at it "
    "in words; the three listeners each put down a picture of their own as a decoy; the pictures "
    "are shuffled, and each listener says which one the hint was about. {own} Scoring: one or two "
    "right votes give {found} to the storyteller and {found} to each listener who was right. "
    "Three right votes give {all_correct} to each listener and 0 to the storyteller. No right "
    "vote gives {consolation} to each listener and 0 to the storyteller. {bonus} Play to win.",
)
OWN = {
    False: "Nobody may vote for its own card, so a listener is shown the other three.",
    True: "A listener sees all four and may vote for any, even its own.",
}
BONUS = {
    False: "Votes for a listener's own card bring it nothing.",
    True: "A listener also gets {bonus} for each vote that its own card draws.",
}
STUDY = (
    "You look at pictures and judge how words relate to them. Rely on what you see.",
    "Your task is about pictures and short texts that may or may not belong to them. "
    "Judge by the pictures themselves.",
    "You will be shown one or more pictures and asked about words that go with them. "
    "Base your answer on the pictures.",
)
QUESTIONS: Mapping[str, tuple[str, str, str]] = {
    "target": (
        "You are the storyteller. These are the cards in your hand. Which one will you give a "
        "clue to?",
        "It is your turn to tell. Your hand is shown here. Choose the card that your clue will be "
        "about.",
        "As this round's storyteller, look at your hand and decide which picture to hint at.",
    ),
    "clue": (
        "You are the storyteller and picked this card. Write a short clue to it, a few words that "
        "some listeners will understand, but not all.",
        "This is the card you chose as storyteller. Say something brief about it that hints at "
        "the picture without giving it away to everyone.",
        "You tell this round, about this picture. Put your hint into a few words; it works best "
        "if one or two of the three listeners see what you mean.",
    ),
    "submission": (
        "You are a listener. The storyteller's clue is {clue}. These are the cards in your hand. "
        "Which one will you lay, so that others take it for the storyteller's?",
        "The storyteller has said {clue}. Your hand is shown here. Choose the card that fits these "
        "words best, to draw votes as a decoy.",
        "As a listener you heard the hint {clue}. Look at your hand and decide which picture could "
        "best be mistaken for the one it is about.",
    ),
    "vote": (
        "You are a listener. The storyteller's clue is {clue}. These cards are on the table. Which "
        "one is the storyteller's?",
        "The storyteller has said {clue}. Here are the cards you can vote for. Choose the one you "
        "believe these words were said about.",
        "As a listener you heard the hint {clue}. Look at the pictures on the table and decide "
        "which one it is about.",
    ),
    "choose": (
        "The clue {clue} was written for one of these pictures. Which one?",
        "Someone looked at one of these pictures and wrote {clue}. Choose that picture.",
        "Decide which of these pictures the words {clue} are about.",
    ),
    "choose_blind": (
        "A clue, which is not shown, was written for one of these pictures. Which one?",
        "Someone looked at one of these pictures and wrote a clue that you don't get to see. "
        "Choose that picture.",
        "Decide which of these pictures some words, kept from you, are about.",
    ),
    "literal": (
        "Describe in one plain sentence what this picture shows.",
        "Say in a single sentence what can be seen here, without interpreting it.",
        "Write one matter-of-fact sentence that names what is in this picture.",
    ),
    "abstract": (
        "Write one short, figurative caption for this picture: its mood or idea, not its objects.",
        "Give this picture a brief poetic title that suggests what it feels like without naming "
        "what it shows.",
        "Say in a few metaphorical words what this picture is about, leaving its objects unnamed.",
    ),
    "entailment": (
        "How well does the clue {clue} fit this picture? Rate it from 0 (not at all) to 100 "
        "(perfectly).",
        "Someone wrote {clue}. On a scale from 0 to 100, how likely is it that these words are "
        "about this picture?",
        "Judge the match between the words {clue} and this picture: 0 means that they have nothing "
        "in common, 100 that they belong together.",
    ),
    "entailment_blind": (
        "A clue, which is not shown, was written for some picture. Rate from 0 (certainly not) to "
        "100 (certainly) whether it is this one.",
        "Someone wrote a clue that you don't get to see. On a scale from 0 to 100, how likely is "
        "it that it is about this picture?",
        "Judge how probable it is that some words, kept from you, are about this picture: 0 is "
        "impossible, 100 is certain.",
    ),
    "rate_together": (
        "How well does the clue {clue} fit each of these pictures? Rate every one from 0 (not at "
        "all) to 100 (perfectly).",
        "Someone wrote {clue}. On a scale from 0 to 100, how likely is it for each of these "
        "pictures that the words are about it?",
        "Judge the match between the words {clue} and each of these pictures: 0 means that they "
        "have nothing in common, 100 that they belong together.",
    ),
    "rate_together_blind": (
        "A clue, which is not shown, was written for one of these pictures. Rate each from 0 "
        "(certainly not) to 100 (certainly) whether it is the one.",
        "Someone wrote a clue that you don't get to see. On a scale from 0 to 100, how likely is "
        "it for each of these pictures that it is about it?",
        "Judge for each of these pictures how probable it is that some words, kept from you, are "
        "about it: 0 is impossible, 100 is certain.",
    ),
    "accept": (
        "The clue {clue} was written for some picture. Is it this one?",
        "Someone looked at a picture and wrote {clue}. Was it this picture?",
        "Decide whether the words {clue} are about this picture.",
    ),
    "accept_blind": (
        "A clue, which is not shown, was written for some picture. Is it this one?",
        "Someone looked at a picture and wrote a clue that you don't get to see. Was it this "
        "picture?",
        "Decide whether some words, kept from you, are about this picture.",
    ),
    "name": (
        "This picture is one card of a published deck, without its title. Which card is it? If "
        "you don't recognise it, say unknown.",
        "The title of this card has been cut off. What is the card called in its deck? Answer "
        "unknown unless you know.",
        "Name the card that this picture belongs to, if it is from a deck that you know; if it "
        "is not, the answer is unknown.",
    ),
    "clue_rating": (
        "The clue {clue} was written for this picture. Rate it from 1 (low) to 5 (high) in "
        "clarity, creativity and ambiguity.",
        "Someone described this picture as {clue}. On scales from 1 to 5, how clear, how creative "
        "and how ambiguous is that?",
        "Judge the words {clue} as a hint at this picture. Give marks from 1 to 5 for clarity, "
        "creativity and ambiguity.",
    ),
}
ANSWER = (
    "Answer with JSON only, like this: {shape}",
    "Reply with nothing but JSON of this form: {shape}",
    "Your whole answer must be a JSON object such as {shape}",
)
AGAIN = (
    "I could not use your reply: {problem}. Please answer the question again. {form}",
    "That reply can't be used: {problem}. Try once more. {form}",
    "Your last answer did not work: {problem}. Give another one. {form}",
)
