# Reads the results of a comparison (see result.awk), with how many lines more there are in `lines`,
# and asks whether the change is worth it. The first benchmark is the one that it was made for.
# `kind`: what the exercise asks for (see docs/adding-an-exercise.md); of an exercise that is not
# about speed no advice is taken from it.

function change(ratio) {
    return sprintf("%.1f %%", 100 * (ratio < 1 ? 1 - ratio : ratio - 1))
}

NR == 1 {
    name = $1
    if ($2 == "faster") {
        print name " takes " change($3) " less time."
        if (lines > 0) {
            printf "The price is %d lines more to read, test and understand", lines
            printf ": %.2f %% for each of them.\n", 100 * (1 - $3) / lines
            print "Does that gain pay for that code? A small one keeps no complexity alive (20.2)."
        } else {
            print "It has no price in lines. Is the code as easy to understand as before?"
        }
    } else if ($2 == "slower") {
        print name " takes " change($3) " more time. What does the code gain that is worth that?"
    } else if ($2 == "no change") {
        print "Nothing that could be measured was gained for " name "."
        if (kind != "steadier") {
            print "One reason to keep it is left: the code became simpler. Did it?"
        }
    } else {
        print "The machine was too noisy to tell what it does to " name ". Measure it again with"
        printf "make step AGAIN=1 MSG=\"...\""
        print kind == "steadier" ? "." : ", or keep it only if the code became simpler."
    }
}

NR > 1 && $2 == "slower" { print $1 " takes " change($3) " more time: that is part of the price." }
