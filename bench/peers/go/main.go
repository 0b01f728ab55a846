// The service in Go, with gin and database/sql as their guides would write it. PORT, DATABASE and API_KEY come from the environment.
package main

import (
	"crypto/subtle"
	"database/sql"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/gin-gonic/gin"
	_ "github.com/mattn/go-sqlite3"
)

type pet struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	CategoryID int64  `json:"categoryId"`
	Status     string `json:"status"`
}

type newPet struct {
	Name       string `json:"name" binding:"required,max=1024"`
	CategoryID *int64 `json:"categoryId" binding:"required"`
	Status     string `json:"status" binding:"oneof=available pending sold"`
}

type listPets struct {
	Limit  int    `form:"limit,default=20" binding:"min=1,max=100"`
	After  int64  `form:"after" binding:"min=0"`
	Status string `form:"status" binding:"omitempty,oneof=available pending sold"`
}

type petID struct {
	ID int64 `uri:"petId"`
}

const columns = "SELECT id, name, category_id, status FROM pets"

func main() {
	// A commit is on disk before its answer, as in the service.
	db, err := sql.Open("sqlite3", "file:"+os.Getenv("DATABASE")+"?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000&_txlock=immediate")
	must(err)
	page, err := db.Prepare(columns + " WHERE id > ? ORDER BY id LIMIT ?")
	must(err)
	pageByStatus, err := db.Prepare(columns + " WHERE status = ? AND id > ? ORDER BY id LIMIT ?")
	must(err)
	find, err := db.Prepare(columns + " WHERE id = ?")
	must(err)
	add, err := db.Prepare("INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)")
	must(err)

	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(gin.Recovery(), requireKey(os.Getenv("API_KEY")))

	router.GET("/v1/pets", func(c *gin.Context) {
		var query listPets
		if err := c.ShouldBindQuery(&query); err != nil {
			fail(c, http.StatusBadRequest, "invalid_parameter", err.Error())
			return
		}
		var rows *sql.Rows
		var err error
		if query.Status == "" {
			rows, err = page.QueryContext(c, query.After, query.Limit)
		} else {
			rows, err = pageByStatus.QueryContext(c, query.Status, query.After, query.Limit)
		}
		must(err)
		defer rows.Close()
		pets := make([]pet, 0, query.Limit)
		for rows.Next() {
			var p pet
			must(rows.Scan(&p.ID, &p.Name, &p.CategoryID, &p.Status))
			pets = append(pets, p)
		}
		must(rows.Err())
		c.JSON(http.StatusOK, pets)
	})

	router.GET("/v1/pets/:petId", func(c *gin.Context) {
		var path petID
		var p pet
		err := c.ShouldBindUri(&path)
		if err == nil {
			err = find.QueryRowContext(c, path.ID).Scan(&p.ID, &p.Name, &p.CategoryID, &p.Status)
		}
		if err != nil {
			fail(c, http.StatusNotFound, "pet_not_found", "There is no animal with this id.")
			return
		}
		c.JSON(http.StatusOK, p)
	})

	router.POST("/v1/pets", func(c *gin.Context) {
		input := newPet{Status: "available"}
		if err := c.ShouldBindJSON(&input); err != nil {
			fail(c, http.StatusUnprocessableEntity, "invalid_field", err.Error())
			return
		}
		result, err := add.ExecContext(c, input.Name, *input.CategoryID, input.Status)
		must(err)
		id, err := result.LastInsertId()
		must(err)
		c.Header("Location", fmt.Sprintf("/v1/pets/%d", id))
		c.JSON(http.StatusCreated, pet{id, input.Name, *input.CategoryID, input.Status})
	})

	log.Fatal(router.Run("127.0.0.1:" + os.Getenv("PORT")))
}

func requireKey(key string) gin.HandlerFunc {
	expected := []byte("Bearer " + key)
	return func(c *gin.Context) {
		if subtle.ConstantTimeCompare([]byte(c.GetHeader("Authorization")), expected) != 1 {
			fail(c, http.StatusUnauthorized, "invalid_api_key", "Send a valid API key.")
		}
	}
}

func fail(c *gin.Context, status int, code, message string) {
	c.AbortWithStatusJSON(status, gin.H{"code": code, "message": message})
}

// In a request, gin answers 500.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
