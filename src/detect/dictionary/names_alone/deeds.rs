//! What people do, told by the words behind their name: `laughed`, `to cover`, `was sitting`.

use crate::detect::dictionary::plausible::{Likeness, likeness};
use crate::detect::dictionary::words::{Cues, Gap, Shape, Words};
use crate::detect::listed::listed;

/// What only people do.
const SPEAKING: &str = "says said told asked gave hoped laughed cried wrote called texted emailed thinks thought knows knew \
     explained brought hopes speaks spoke wants wanted agrees agreed feels felt lives lived likes \
     enjoys worked prefers smiled answered finds understands verbalized denies reports sat slept \
     believes worries wishes cooks drives carries came";
/// What people do more often than things.
const ACTING: &str = "reports reported denies denied states stated says said feels felt fell went visited \
     called returned tolerated presents presented complains complained came lives lived \
     agrees agreed remains looks looked wants wanted notes noted endorses endorsed admits \
     took takes was is has had will continues works worked enjoys started stopped understands \
     asked arrived left slept ate woke cried verbalized refused declined accepted prefers \
     likes drove walked plays played gave hoped laughed finds wrote texted emailed carries drives \
     thinks thought knows knew cited explained described brought stayed hopes speaks spoke lifted \
     went sleeps eats moved helps helped agreed calls signed answered jumped smiled npo febrile afebrile desatted weaned \
     spiked voided ambulated extubated";
/// What else may follow a person who acts: `to cover`, `was sitting`, `, who`.
const OTHER_DEEDS: &str = "to covering aware notified paged on was is who may will and";

/// Every word that a person who acts has behind, blank-separated.
pub(in crate::detect::dictionary) const DEEDS: [&str; 3] = [SPEAKING, ACTING, OTHER_DEEDS];

/// Whether a person who acts may have the word behind.
pub(in crate::detect::dictionary) fn is_deed(word: &str) -> bool {
    listed!(word, SPEAKING) || listed!(word, ACTING) || listed!(word, OTHER_DEEDS)
}

/// Whether a deed may follow: a sieve before [`acts`] and [`speaks`].
pub(super) fn may_act(words: &Words, index: usize) -> bool {
    words.get(index + 1).is_some_and(|next| next.cues.has(Cues::DEED))
}

/// Whether what follows is done by people only: `hoped`, `laughed`, `told`.
pub(in crate::detect::dictionary) fn speaks(words: &Words, index: usize) -> bool {
    if !may_act(words, index) {
        return false;
    }
    words.get(index + 1).is_some_and(|next| {
        next.gap == Gap::Space && next.shape == Shape::Lower && listed!(words.text(index + 1), SPEAKING)
    }) || likeness(words.list[index].info) >= Likeness::Unknown && words.between_after(index).starts_with(", who ")
        || words.get(index + 2).is_some_and(|next| {
        matches!(words.text(index + 1), "was" | "is" | "who" | "may" | "will" | "and")
            && words.list[index + 1].shape == Shape::Lower
            && next.gap == Gap::Space
            && listed!(
                words.text(index + 2),
                "sitting come be feel like have asking calling worried tearful talking died lives works call crying \
                                                  laughing smiling driving working living married able told said asked",
            )
    })
}

/// Whether a verb of people follows: `reports`, `fell`, `to cover`.
pub(super) fn acts(words: &Words, index: usize) -> bool {
    if !may_act(words, index) {
        return false;
    }
    let verb = words.get(index + 1).is_some_and(|next| {
        next.gap == Gap::Space && next.shape == Shape::Lower && listed!(words.text(index + 1), ACTING)
    });
    verb || takes_over(words, index) || is_on_duty(words, index)
}

/// `Vang on for Keast`, `Okafor covering tonight`.
pub(super) fn is_on_duty(words: &Words, index: usize) -> bool {
    if !words.get(index + 1).is_some_and(|next| next.gap == Gap::Space && next.shape == Shape::Lower) {
        return false;
    }
    let text = words.text(index + 1);
    let then = words.get(index + 2).map_or("", |_| words.text(index + 2));
    matches!(text, "covering" | "aware" | "notified" | "paged")
        || text == "on" && matches!(then, "for" | "call" | "tonight" | "til" | "until")
}

/// `Strong to cover overnight`.
pub(super) fn takes_over(words: &Words, index: usize) -> bool {
    let to = words.get(index + 1).is_some_and(|next| next.gap == Gap::Space && words.text(index + 1) == "to");
    to && words.get(index + 2).is_some_and(|next| next.gap == Gap::Space)
        && matches!(
            words.text(index + 2),
            "cover"
                | "follow"
                | "see"
                | "dose"
                | "evaluate"
                | "staff"
                | "sign"
                | "drive"
                | "bring"
                | "call"
                | "pick"
                | "d"
                | "discuss"
                | "check"
                | "help"
                | "come"
                | "arrange"
                | "chase"
        )
}
