# An engine that does something wrong: `sh engine.sh FAULT [FOLDER]`. Otherwise it plays the first
# legal move of `azulejo moves`.
fault=$1
folder=$2
n_moves=0

case $fault in
mute) exec sleep 1000 ;;
refuses)
    echo 'no network file' >&2
    exit 7
    ;;
once)
    # Works until it has been started twice: for the check before the match, and for a game.
    [ -e "$folder/second" ] && exit 1
    [ -e "$folder/first" ] && : >"$folder/second"
    : >"$folder/first"
    ;;
esac

while read -r word rest; do
    case $word in
    azi) printf 'id name Scripted\noption name Speed type spin default 1 min 1 max 3\naziok\n' ;;
    isready) echo readyok ;;
    position) position=$rest ;;
    quit) exit ;;
    go)
        n_moves=$((n_moves + 1))
        [ $n_moves = 3 ] && case $fault in
        crash | once) exit 3 ;;
        complains)
            echo 'out of tiles' >&2
            exit 4
            ;;
        illegal) echo 'bestmove 9B1' ;;
        unreadable) echo 'bestmove banana' ;;
        none) echo 'bestmove none' ;;
        slow) sleep 0.4 ;;
        hangs)
            : >"$folder/hangs"
            sleep 1000
            ;;
        closes)
            exec >&-
            sleep 1000
            ;;
        babbles) while :; do echo 'what a lovely day'; done ;;
        garbage)
            printf 'bestmoves 1B1\ninfo depth many\n\n\377\376\nbest'
            head -c 100000 /dev/zero
            echo
            ;;
        esac
        echo "bestmove $(azulejo moves --plain "$position" | head -n 1)"
        ;;
    esac
done
