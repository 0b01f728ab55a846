// The service in Go, with net/http and database/sql as their guides would write it. PORT, DATABASE and API_KEY come from the environment.
package main

import (
	"crypto/subtle"
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	_ "github.com/mattn/go-sqlite3"
)

type pet struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	CategoryID int64  `json:"categoryId"`
	Status     string `json:"status"`
}

type server struct {
	page, pageByStatus, find, add *sql.Stmt
}

var statuses = map[string]bool{"available": true, "pending": true, "sold": true}

const columns = "SELECT id, name, category_id, status FROM pets"

func main() {
	// A commit is on disk before its answer, as in the service.
	db, err := sql.Open("sqlite3", "file:"+os.Getenv("DATABASE")+"?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000&_txlock=immediate")
	if err != nil {
		log.Fatal(err)
	}
	prepare := func(query string) *sql.Stmt {
		statement, err := db.Prepare(query)
		if err != nil {
			log.Fatal(err)
		}
		return statement
	}
	s := &server{
		page:         prepare(columns + " WHERE id > ? ORDER BY id LIMIT ?"),
		pageByStatus: prepare(columns + " WHERE status = ? AND id > ? ORDER BY id LIMIT ?"),
		find:         prepare(columns + " WHERE id = ?"),
		add:          prepare("INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)"),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/pets", func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet:
			s.list(w, r)
		case http.MethodPost:
			s.create(w, r)
		default:
			fail(w, http.StatusMethodNotAllowed, "method_not_allowed", "This path does not support this method.")
		}
	})
	mux.HandleFunc("/v1/pets/", s.get)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), requireKey(os.Getenv("API_KEY"), mux)))
}

func requireKey(key string, next http.Handler) http.Handler {
	expected := []byte("Bearer " + key)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), expected) != 1 {
			fail(w, http.StatusUnauthorized, "invalid_api_key", "Send a valid API key.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *server) list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	limit, after, status := 20, int64(0), query.Get("status")
	var err error
	if text := query.Get("limit"); text != "" {
		limit, err = strconv.Atoi(text)
	}
	if text := query.Get("after"); text != "" && err == nil {
		after, err = strconv.ParseInt(text, 10, 64)
	}
	if err != nil || limit < 1 || limit > 100 || (status != "" && !statuses[status]) {
		fail(w, http.StatusBadRequest, "invalid_parameter", "A query parameter has an invalid value.")
		return
	}
	var rows *sql.Rows
	if status == "" {
		rows, err = s.page.QueryContext(r.Context(), after, limit)
	} else {
		rows, err = s.pageByStatus.QueryContext(r.Context(), status, after, limit)
	}
	if err != nil {
		failed(w, err)
		return
	}
	defer rows.Close()
	pets := make([]pet, 0, limit)
	for rows.Next() {
		var p pet
		if err := rows.Scan(&p.ID, &p.Name, &p.CategoryID, &p.Status); err != nil {
			failed(w, err)
			return
		}
		pets = append(pets, p)
	}
	if err := rows.Err(); err != nil {
		failed(w, err)
		return
	}
	answer(w, http.StatusOK, pets)
}

func (s *server) get(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, "/v1/pets/"), 10, 64)
	var p pet
	if err == nil {
		err = s.find.QueryRowContext(r.Context(), id).Scan(&p.ID, &p.Name, &p.CategoryID, &p.Status)
	} else {
		err = sql.ErrNoRows
	}
	switch err {
	case nil:
		answer(w, http.StatusOK, p)
	case sql.ErrNoRows:
		fail(w, http.StatusNotFound, "pet_not_found", "There is no animal with this id.")
	default:
		failed(w, err)
	}
}

func (s *server) create(w http.ResponseWriter, r *http.Request) {
	var input struct {
		Name       *string `json:"name"`
		CategoryID *int64  `json:"categoryId"`
		Status     string  `json:"status"`
	}
	input.Status = "available"
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&input); err != nil {
		fail(w, http.StatusBadRequest, "malformed_json", err.Error())
		return
	}
	if input.Name == nil || *input.Name == "" || utf8.RuneCountInString(*input.Name) > 1024 || input.CategoryID == nil || !statuses[input.Status] {
		fail(w, http.StatusUnprocessableEntity, "invalid_field", "A field has an invalid value.")
		return
	}
	result, err := s.add.ExecContext(r.Context(), *input.Name, *input.CategoryID, input.Status)
	if err != nil {
		failed(w, err)
		return
	}
	id, err := result.LastInsertId()
	if err != nil {
		failed(w, err)
		return
	}
	w.Header().Set("Location", fmt.Sprintf("/v1/pets/%d", id))
	answer(w, http.StatusCreated, pet{id, *input.Name, *input.CategoryID, input.Status})
}

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(value); err != nil {
		log.Print(err)
	}
}

func fail(w http.ResponseWriter, status int, code, message string) {
	answer(w, status, map[string]string{"code": code, "message": message})
}

func failed(w http.ResponseWriter, err error) {
	log.Print(err)
	fail(w, http.StatusInternalServerError, "internal_error", "The service failed to answer.")
}
